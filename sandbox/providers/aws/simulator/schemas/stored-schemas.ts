import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readSchemas } from './read-schemas.ts'

/** The services that the simulator has, each with the SDK's client for it. */
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
 * The operations and errors of a service as Smithy's static schemas. The clients that have them take more memory and
 * time to load than the whole simulator: what is needed of an installed client is kept beside the dependencies, and
 * taken out of it by another process when that is missing.
 */
export const storedSchemas = (service: StoredService): readonly unknown[] => readSchemas(schemasText(service))

/** The same as they are stored; beside this module where the packed library brings them along. */
export const schemasText = (service: StoredService): Buffer => {
  const shipped = readIfThere(fileURLToPath(new URL(`.${service}.jsonl`, import.meta.url)))
  if (shipped !== undefined) return shipped
  const file = fileFor(service)
  return readIfThere(file) ?? extract(service, file)
}

/** The number is that of the form of the text. */
const folder = fileURLToPath(new URL('../../../../../node_modules/.cache/trellis/schemas-1', import.meta.url))

/** Another version of the client has another file. */
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
    // Whole or not at all: other processes may read and write it as well.
    const own = `${file}.${process.pid}`
    writeFileSync(own, text)
    renameSync(own, file)
  } catch {
    // A folder that cannot be written to costs the time again, and nothing else.
  }
  return text
}
