import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readSchemas } from './read-schemas.ts'

/** The simulator's services, each with its SDK client package. */
export const clientPackages = {
  ec2: '@aws-sdk/client-ec2',
  elasticfilesystem: '@aws-sdk/client-efs',
  elb: '@aws-sdk/client-elastic-load-balancing',
  elbv2: '@aws-sdk/client-elastic-load-balancing-v2',
  iam: '@aws-sdk/client-iam',
  route53: '@aws-sdk/client-route-53',
  s3: '@aws-sdk/client-s3',
  sts: '@aws-sdk/client-sts',
} as const

export type StoredService = keyof typeof clientPackages

/**
 * Returns the operations and errors of a service as Smithy's static schemas. The clients that contain them take more
 * memory and load time than the whole simulator. So the schemas are cached beside the dependencies, and another process
 * extracts them when the cache is missing.
 */
export const storedSchemas = (service: StoredService): readonly unknown[] => readSchemas(schemasText(service))

/** Returns the stored text. The packed library ships it beside this module. */
export const schemasText = (service: StoredService): Buffer => {
  const shipped = readIfThere(fileURLToPath(new URL(`${service}.jsonl`, import.meta.url)))
  if (shipped !== undefined) return shipped
  const file = fileFor(service)
  return readIfThere(file) ?? extract(service, file)
}

/** The number is the version of the text format. */
const folder = fileURLToPath(new URL('../../../../../node_modules/.cache/trellis/schemas-1', import.meta.url))

/** Each client version has a separate file. */
const fileFor = (service: StoredService): string => {
  const { version } = createRequire(import.meta.url)(`${clientPackages[service]}/package.json`)
  return `${folder}/${service}-${version}.jsonl`
}

const readIfThere = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

const extract = (service: StoredService, file: string): Buffer => {
  const program = fileURLToPath(new URL('print-schemas.ts', import.meta.url))
  const text = execFileSync(process.execPath, [program, clientPackages[service]], { maxBuffer: 2 ** 26 })
  try {
    mkdirSync(folder, { recursive: true })
    // Written atomically, because other processes may read and write it too.
    const own = `${file}.${process.pid}`
    writeFileSync(own, text)
    renameSync(own, file)
  } catch {
    // If the folder is not writable, the next start only takes longer.
  }
  return text
}
