import { writeFile } from 'node:fs/promises'
import { clientPackages, type StoredService, schemaFile } from './stored-schemas.ts'
import { writtenSchemas } from './written-schemas.ts'

for (const service of Object.keys(clientPackages) as StoredService[]) {
  const client: Readonly<Record<string, unknown>> = await import(clientPackages[service])
  await writeFile(schemaFile(service), writtenSchemas(client))
}
