/** A bucket, and the part of it that Waybill uses. */
export interface S3Location {
  bucket: string;
  /** The start of every key: empty, or with a slash at its end. */
  prefix: string;
  /** Undefined for AWS_REGION. */
  region: string | undefined;
  /** The URL of the server; undefined for that of AWS. */
  endpoint: string | undefined;
}

const parameters = ['endpoint', 'region'];

/** Returns what is wrong with a URL such as `s3://bucket/prefix?endpoint=…&region=…`, as a clause; undefined when it is valid. */
export function s3UrlError(text: string): string | undefined {
  if (!/^s3:\/\/[^/]/.test(text) || !URL.canParse(text)) return 'must be s3:// and a bucket';
  const { hostname, port, username, password, pathname, searchParams, hash } = new URL(text);
  if (username || password) {
    return 'must not contain credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use a role';
  }
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  const isBucket = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(hostname) && port === '';
  if (!isBucket) return 'must name a bucket: 3 to 63 small letters, digits, dots and hyphens';
  if (!/^(\/[\w.-]+)*\/?$/.test(pathname)) return 'must have a prefix of letters, digits and - . _ only, or none';
  if (hash) return 'must not have a fragment';
  const others = [...searchParams.keys()].filter((name) => !parameters.includes(name));
  if (others.length > 0) return `must have no parameters except ${parameters.join(' and ')}`;
  if (parameters.some((name) => searchParams.getAll(name).length > 1)) return 'must have each parameter once';
  const { region, endpoint } = s3Location(text);
  if (region !== undefined && !/^[a-z\d-]{1,63}$/.test(region)) return 'must have a region such as eu-central-1';
  return endpoint === undefined ? undefined : endpointError(endpoint);
}

function endpointError(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return 'must have a URL as its endpoint';
  const { protocol, username, password, search, hash } = new URL(endpoint);
  if (!['http:', 'https:'].includes(protocol)) return 'must have an endpoint that begins with http:// or https://';
  if (username || password) return 'must have an endpoint without credentials';
  if (search || hash) return 'must have an endpoint without a query or a fragment';
  return undefined;
}

/** Reads a valid URL. */
export function s3Location(url: string): S3Location {
  const { hostname, pathname, searchParams } = new URL(url);
  const path = pathname.replace(/^\/|\/$/g, '');
  return {
    bucket: hostname,
    prefix: path && `${path}/`,
    region: searchParams.get('region') ?? undefined,
    endpoint: searchParams.get('endpoint') ?? undefined,
  };
}
