import type { Problem } from '../../../../shared/decode/problems.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import { readCredentials } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'
import { formats, formProblems } from '../../../../terraform-free-infra/aws/account/formats.ts'

export { roleArnOf } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'

/** Throws a `CodedError` if a Secret contains no usable S3 credentials. */
export const checkSecret = async (secret: Secret): Promise<void> => {
  await readCredentials(secret)
}

/** Returns the problems of a region's format. The region becomes part of a host name. */
export const regionProblems = (path: string, region: string): readonly Problem[] =>
  formProblems(path, region, formats.region)
