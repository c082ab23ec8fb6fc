import { readCredentials } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import type { AccountsRequest } from '../provider.ts'

/** Returns the name of the project, without and with its domain: `shoots`, `acme/shoots`. */
export const openstackAccounts = async ({ secret }: Pick<AccountsRequest, 'secret'>) => {
  const { domainName, tenantName } = readCredentials(secret, { dnsKeys: true })
  return [tenantName, `${domainName}/${tenantName}`]
}
