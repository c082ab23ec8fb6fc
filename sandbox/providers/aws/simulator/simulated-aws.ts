import type { CloudCall, SimulatedCloud } from '../../../seed/seed.ts'
import type { Aws } from './aws-interface.ts'
import { detailsOf, isRead } from './calls/call-details.ts'
import type { CallRecord } from './calls/call-log.ts'
import { machineDriver } from './machines/machine-driver.ts'
import { operatorCredentials } from './operator.ts'

/** Adapts a simulated AWS for a seed: `startSeed({ functions, clouds: { aws: simulatedAws(createAws()) } })`. */
export type SimulatedAws = Aws & SimulatedCloud & { readonly connection: Pick<Aws, 'requestHandler'> }

/** Calls with the operator's key are not reported, because no function made them. */
export const simulatedAws = (aws: Aws): SimulatedAws => ({
  ...aws,
  connection: { requestHandler: aws.requestHandler },
  environment: awsEnvironment,
  machines: scale => machineDriver(aws, scale),
  onCall: listener =>
    aws.calls.onCall(record => {
      if (record.accessKeyId !== operatorCredentials.accessKeyId) listener(callOf(record))
    }),
})

/**
 * The environment variable that sets the SDK's endpoint (AWS SDKs and Tools Reference Guide, "Service-specific
 * endpoints").
 */
export const awsEnvironment = (url: string): Readonly<Record<string, string>> => ({ AWS_ENDPOINT_URL: url })

const callOf = (record: CallRecord): CloudCall => {
  const { service, action, region, input, outcome, errorCode, status } = record
  const answer = [status ?? 'connection dropped', errorCode].filter(part => part !== undefined).join(' ')
  return {
    service,
    action,
    region,
    input,
    answer,
    isRead: isRead(record),
    about: detailsOf(record),
    isNotThere: isNotThere(errorCode),
    ...(outcome !== 'success' && { error: errorCode ?? outcome }),
  }
}

/** Returns true if an error code says that a resource does not exist. */
export const isNotThere = (errorCode: string | undefined): boolean => /^NoSuch|NotFound/.test(errorCode ?? '')
