import {
  MachineCloudError,
  type MachineErrorCode,
} from '../../../../machine-controller/machine-controller.ts'

/** An error of an SDK client, as far as it is read. */
interface SdkError {
  readonly name: string
  readonly message: string
  readonly $metadata?: {
    readonly httpStatusCode?: number
    readonly requestId?: string
  }
}

/** The codes that the driver takes for want of capacity (its `GetMCMErrorCodeForCreateMachine`). */
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

/** What the SDK for Go tries again (its standard retryer). */
export const isRetried = (error: unknown): boolean => {
  const { name, $metadata } = error as SdkError
  const status = $metadata?.httpStatusCode
  return status === undefined || status >= 500 || /^RequestLimitExceeded$|^Throttl/.test(name)
}

export const codeOf = (error: unknown): MachineErrorCode =>
  exhausted.has((error as SdkError).name) ? 'ResourceExhausted' : 'Internal'

/** A failure in the words of the SDK for Go, which the driver passes on. */
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
