import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Read, State } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { NetworkReads } from '../network/reads.ts'
import { accountOf } from '../state.ts'

type AccountId = () => Promise<string>

/** Throws if the state belongs to another account, which contains nothing of the shoot. */
export const checkAccount = async (stored: State, accountId: AccountId): Promise<void> => {
  const expected = accountOf(stored)
  if (expected === undefined) return
  const found = await accountId()
  if (found === expected) return
  throw configurationProblem(
    `spec.secretRef: expected credentials of the AWS account ${expected} that contains the infrastructure of the shoot, found credentials of the account ${found}. Use a key of ${expected} again`,
  )
}

/** Throws if the account is wrong. The recorded VPC, if it exists, proves the account without another call. */
export const checkAccountByVpc = async (
  { reads, read }: { readonly reads: Pick<NetworkReads, 'vpcs'>; readonly read: Read<AwsCloud> },
  stored: State,
  accountId: AccountId,
): Promise<void> => {
  const isThere = (await read(reads.vpcs)).some(({ VpcId }) => VpcId === stored.VPC)
  if (!isThere) await checkAccount(stored, accountId)
}

/** Waits for all calls. Throws a single error unchanged, and several as an `AggregateError`. */
export const withAllFailures = async (...calls: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(calls)).flatMap(call =>
    call.status === 'rejected' ? [call.reason as unknown] : [],
  )
  if (failed.length > 1) throw new AggregateError(failed, 'reading the account')
  if (failed.length === 1) throw failed[0]
}
