-- Sends the requests of a RequestTemplate (request-template.ts).
local head, body, values, run, count = '', '', {}, '', 0
local second, timed_body = 0, ''

function init(args)
  local function read(name)
    local file = assert(io.open(args[1] .. '/' .. name, 'rb'))
    local text = file:read('*a')
    file:close()
    return text
  end
  head, body, run = read('head'), read('body'), args[2]
  for value in read('values'):gmatch('[^\n]+') do values[#values + 1] = value end
  math.randomseed(tonumber(run:sub(1, 8), 16))
  count = math.random(#values)
end

function request()
  count = count + 1
  if second ~= os.time() then
    second = os.time()
    timed_body = body:gsub('@time', os.date('!%Y-%m-%dT%H:%M:%S', second - 1))
  end
  return head:gsub('@%l+', { ['@value'] = values[count % #values + 1], ['@key'] = run .. '-' .. count }) .. timed_body
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\n{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"failures":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
