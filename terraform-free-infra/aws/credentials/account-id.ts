import type { ClientSettings } from '../client/client.ts'
import { observeRequests } from '../client/observe-requests.ts'
import { stepError } from '../errors/step-error.ts'

/**
 * The id of the account that credentials are of. STS answers whatever the credentials may do ("GetCallerIdentity", STS
 * API reference), so an error says that they are no good. Throws what a step throws.
 */
export const accountIdOf = async (
  settings: ClientSettings,
  { signal, secrets }: { readonly signal: AbortSignal; readonly secrets: readonly string[] },
): Promise<string> => {
  const { STSClient, GetCallerIdentityCommand } = await import('@aws-sdk/client-sts')
  const client = new STSClient(settings)
  client.middlewareStack.use(observeRequests(settings.onRequest))
  const doing = 'GetCallerIdentity'
  const { Account = '' } = await client
    .send(new GetCallerIdentityCommand({}), { abortSignal: signal })
    .catch((error: unknown) => {
      throw stepError(error, { doing, signal, secrets })
    })
  if (/^\d{12}$/.test(Account)) return Account
  throw new Error(`${doing}: the answer names no account; it may be that of a proxy`)
}
