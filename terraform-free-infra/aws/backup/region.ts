import { type Problem, shown } from '../../../shared/contract/problems.ts'

/** What is wrong with the form of a region (docs/contract/provider-aws.md#formats): it becomes part of a host name. */
export const regionProblems = (path: string, region: string): readonly Problem[] =>
  region.length <= 32 && /^[a-z-]+-\d+$/.test(region)
    ? []
    : [{ path, message: `expected the name of a region (such as eu-west-1), found ${shown(region)}` }]
