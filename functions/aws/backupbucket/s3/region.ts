import type { Problem } from '../../../../shared/decode/problems.ts'
import { formats, formProblems } from '../../../../terraform-free-infra/aws/account/formats.ts'

/** Returns the problems of a region's format. The region becomes part of a host name. */
export const regionProblems = (path: string, region: string): readonly Problem[] =>
  formProblems(path, region, formats.region)
