import type { Problem } from '../../../../shared/contract/problems.ts'
import { formats, formProblems } from '../../../../terraform-free-infra/aws/account/formats.ts'

/** What is wrong with the form of a region: it becomes part of a host name. */
export const regionProblems = (path: string, region: string): readonly Problem[] =>
  formProblems(path, region, formats.region)
