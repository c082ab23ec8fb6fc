import type { Problem } from '../../../../shared/contract/problems.ts'
import type { AccountInput } from './account-input.ts'
import { addressProblems } from './address-problems.ts'
import { ownSubnetProblems } from './own-subnet-problems.ts'
import { securityGroupProblems } from './security-group-problems.ts'
import { taggedSubnetProblems } from './tagged-subnet-problems.ts'
import { takenRangeProblems } from './taken-range-problems.ts'
import { vpcProblems } from './vpc-problems.ts'

/**
 * What is wrong with that of the user's account which the config names
 * (docs/contract/provider-aws.md#checks-in-the-account), in at most one read for each type of resource beside those
 * of the plan, whatever the number of zones. A VPC and addresses that are made cost no read at all.
 */
export const accountProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const [vpc, ...others] = await Promise.all([
    vpcProblems(input),
    ownSubnetProblems(input),
    securityGroupProblems(input),
    taggedSubnetProblems(input),
    takenRangeProblems(input),
    addressProblems(input),
  ])
  return [...vpc, ...others.flat()]
}
