import { writtenSchemas } from './written-schemas.ts'

/** Prints the schemas of the given client package: `node print-schemas.ts @aws-sdk/client-sts`. */
const [, , packageName = ''] = process.argv
const client: Readonly<Record<string, unknown>> = await import(packageName)
process.stdout.write(writtenSchemas(client))
