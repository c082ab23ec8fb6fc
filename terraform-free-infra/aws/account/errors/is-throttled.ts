const throttlingCodes: ReadonlySet<string> = new Set([
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'ProvisionedThroughputExceededException',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'RequestThrottled',
  'RequestThrottledException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
  'SlowDown',
  'PriorRequestNotComplete',
])

/** Returns true if AWS refused a call because of the rate of calls. EC2 does so with HTTP status 503. */
export const isThrottled = (code: string, status: number | undefined): boolean =>
  status === 429 || throttlingCodes.has(code)
