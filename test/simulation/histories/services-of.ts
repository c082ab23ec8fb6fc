import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'

/** Returns the stored tables of the account, by service. */
export const servicesOf = ({ contents }: AwsSide): unknown => {
  const line = contents().find(text => text.startsWith('services '))
  if (line === undefined) throw new Error('the account has no services')
  return JSON.parse(line.slice('services '.length))
}
