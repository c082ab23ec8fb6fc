import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'

/** Returns the stored tables of the account, by service. */
export const servicesOf = ({ aws }: AwsSide): unknown =>
  JSON.parse(JSON.stringify(aws.account().snapshot())).services
