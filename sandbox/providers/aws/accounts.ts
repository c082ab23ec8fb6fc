import type { AwsConnection } from '../../../terraform-free-infra/aws/account/aws.ts'
import { createAccess } from '../../../terraform-free-infra/aws/account/credentials/access.ts'
import { accountIdOf } from '../../../terraform-free-infra/aws/account/credentials/account-id.ts'
import type { AccountsRequest } from '../provider.ts'

/** Returns the number of the account, which STS tells without permissions. */
export const awsAccounts = async ({ connection, clock, ...request }: AccountsRequest) => {
  const open = createAccess(connection as AwsConnection, clock)
  const { settings, secrets } = await open({ ...request, dnsKeys: true, defaultRegion: 'us-east-1' })
  return [await accountIdOf(settings, { signal: request.signal, secrets })]
}
