import type { Problem } from '../../../../shared/decode/problems.ts'
import type { AccountInput } from './account-input.ts'
import { addressProblems } from './address-problems.ts'
import { ownSubnetProblems } from './own-subnet-problems.ts'
import { securityGroupProblems } from './security-group-problems.ts'
import { taggedSubnetProblems } from './tagged-subnet-problems.ts'
import { takenRangeProblems } from './taken-range-problems.ts'
import { vpcProblems } from './vpc-problems.ts'

/**
 * Returns the problems of the user's resources in the config (docs/contract/provider-aws.md#checks-in-the-account).
 * Costs at most one read per resource type besides those of the plan, for any number of zones. A VPC and addresses that
 * are created cost no read.
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
