import { coverage } from './coverage.ts'
import { permissions } from './permissions.ts'

/** The generated parts of the pages about AWS. */
export const awsPages = (): Readonly<Record<string, string>> => ({
  'aws-simulator.md': coverage(),
  'infrastructure.md': permissions(),
})
