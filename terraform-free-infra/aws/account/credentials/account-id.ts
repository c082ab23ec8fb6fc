import type { ClientSettings } from '../client/client.ts'
import { observeRequests } from '../client/observe-requests.ts'
import { stepError } from '../errors/step-error.ts'

/**
 * Returns the account id of the credentials. STS answers regardless of permissions ("GetCallerIdentity", STS API
 * reference), so an error means that the credentials are invalid. Throws the errors of a step.
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
  throw new Error(
    `${doing}: the response contains no account and may be from a proxy. Check proxies and endpoints on the way`,
  )
}
