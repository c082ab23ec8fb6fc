import type { AwsConnection } from '../../../terraform-free-infra/aws/account/aws.ts'
import { createRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import type { ConnectSettings } from '../provider.ts'

/** Connects to AWS over the network. Loads the codecs that decode calls only if calls are reported. */
export const connectAws = async ({ endpoint, onCall }: ConnectSettings): Promise<AwsConnection> => {
  const handler = createRequestHandler()
  const requestHandler =
    onCall === undefined ? handler : (await import('./record-calls.ts')).recordCalls(handler, onCall)
  return { requestHandler, ...(endpoint !== undefined && { endpoint }) }
}
