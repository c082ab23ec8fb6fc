import {
  accountContents as contentsOf,
  operator,
} from '../../../../sandbox/providers/aws/account-contents.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'

export { operator }

/** All resources in the account, one line each, sorted: `subnet subnet-1 shoot--foo--bar-nodes-z0`. */
export const accountContents = async (requestHandler: AwsRequestHandler): Promise<readonly string[]> =>
  (await contentsOf(requestHandler))
    .map(({ what, id, name }) => [what, id, ...(name === undefined ? [] : [name])].join(' '))
    .sort()

/** The lines without ids, to compare resources regardless of their id. */
export const withoutIds = (contents: readonly string[]): readonly string[] =>
  contents.map(line => line.replace(/ (?:[a-z]+-[0-9a-f]{8,})/, '')).sort()
