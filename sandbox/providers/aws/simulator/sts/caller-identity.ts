import type { GetCallerIdentityRequest, GetCallerIdentityResponse } from '@aws-sdk/client-sts'
import type { Call } from '../service.ts'

export const getCallerIdentity = (
  _: GetCallerIdentityRequest,
  { principal }: Call<object>,
): GetCallerIdentityResponse => ({
  UserId: principal.userId,
  Account: principal.accountId,
  Arn: principal.arn,
})
