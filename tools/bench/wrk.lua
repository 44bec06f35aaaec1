-- Sends requests from a template. In it, @value is the next line of a file, @key is unique, and @time is the last second.
local template, values, count, run = '', {}, 0, ''

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local content = file:read('*a')
  file:close()
  return content
end

function init(args)
  template = read(args[1])
  for line in read(args[2]):gmatch('[^\n]+') do table.insert(values, line) end
  run = args[3] .. '-'
  math.randomseed(tonumber(args[4]))
  count = math.random(#values)
end

function request()
  count = count + 1
  local time = os.date('!%Y-%m-%dT%H:%M:%S', os.time() - 1)
  return (template:gsub('@(%l+)', { value = values[count % #values + 1], key = run .. count, time = time }))
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\n{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"failures":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
