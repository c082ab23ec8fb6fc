import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { servicesOf } from './services-of.ts'

/** Returns the rows of an EC2 table that still exist. */
export const aliveRows = (cloud: AwsSide, table: string): readonly Readonly<Record<string, unknown>>[] => {
  const services = servicesOf(cloud) as Readonly<
    Record<string, { readonly rows?: Readonly<Record<string, Readonly<Record<string, object>>>> }>
  >
  const rows = services['ec2/eu-west-1']?.rows?.[table] ?? {}
  return Object.values(rows)
    .map(row => row as Readonly<Record<string, unknown>>)
    .filter(row => !Object.keys(row).some(key => /^(deleted|terminated|terminating|deleting)/.test(key)))
}
