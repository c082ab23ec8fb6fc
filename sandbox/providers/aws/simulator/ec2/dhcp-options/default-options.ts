import type { Ec2 } from '../core/context.ts'
import type { DhcpOptions } from '../rows/network.ts'

/** The domain name that AWS gives the instances of a region ("DHCP option sets", VPC user guide). */
const regionalDomain = (region: string): string =>
  region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`

/** Returns the set that AWS creates with the first VPC of a region. */
export const defaultDhcpOptions = (ec2: Ec2): DhcpOptions => {
  const [known] = ec2.tables.dhcpOptions.all()
  if (known) return known
  const row: DhcpOptions = {
    ...ec2.newResource('dopt', []),
    configurations: [
      { key: 'domain-name', values: [regionalDomain(ec2.region)] },
      { key: 'domain-name-servers', values: ['AmazonProvidedDNS'] },
    ],
  }
  ec2.tables.dhcpOptions.put(row)
  return row
}
