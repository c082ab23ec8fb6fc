import { coverage } from './coverage.ts'
import { permissions } from './permissions.ts'
import { s3PermissionsTable } from './s3-permissions.ts'

/** The generated parts of the pages about AWS. */
export const awsPages = (): Readonly<Record<string, string>> => ({
  'aws-simulator.md': coverage(),
  'backups.md': s3PermissionsTable(),
  'infrastructure.md': permissions(),
})
