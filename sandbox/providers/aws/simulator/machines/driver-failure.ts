import {
  MachineCloudError,
  type MachineErrorCode,
} from '../../../../machine-controller/machine-controller.ts'

/** The fields of an SDK error that are read. */
interface SdkError {
  readonly name: string
  readonly message: string
  readonly $metadata?: {
    readonly httpStatusCode?: number
    readonly requestId?: string
  }
}

/** The codes that the driver treats as exhausted capacity (its `GetMCMErrorCodeForCreateMachine`). */
const exhausted = new Set([
  'InsufficientCapacity',
  'InsufficientAddressCapacity',
  'InsufficientInstanceCapacity',
  'InsufficientVolumeCapacity',
  'InstanceLimitExceeded',
  'VcpuLimitExceeded',
  'VolumeLimitExceeded',
  'MaxIOPSLimitExceeded',
  'RouteLimitExceeded',
  'Unsupported',
])

/** Returns true if the SDK for Go retries the error (its standard retryer). */
export const isRetried = (error: unknown): boolean => {
  const { name, $metadata } = error as SdkError
  const status = $metadata?.httpStatusCode
  return status === undefined || status >= 500 || /^RequestLimitExceeded$|^Throttl/.test(name)
}

export const codeOf = (error: unknown): MachineErrorCode =>
  exhausted.has((error as SdkError).name) ? 'ResourceExhausted' : 'Internal'

/** Returns a failure in the words of the SDK for Go, which the driver forwards. */
export const driverFailure = (
  code: MachineErrorCode,
  action: string,
  error: unknown,
  attempts: number,
): MachineCloudError => {
  const { name, message, $metadata: { httpStatusCode, requestId = '' } = {} } = error as SdkError
  const tried = attempts > 1 ? `exceeded maximum number of attempts, ${attempts}, ` : ''
  const what =
    httpStatusCode === undefined ? `request send failed, ${message}` : `api error ${name}: ${message}`
  const text = `operation error EC2: ${action}, ${tried}https response error StatusCode: ${httpStatusCode ?? 0}, RequestID: ${requestId}, ${what}`
  return new MachineCloudError(code, text, { cause: error })
}
