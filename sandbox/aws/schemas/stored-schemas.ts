import { readFileSync } from 'node:fs'
import { readSchemas } from './read-schemas.ts'

/**
 * The services that the simulator has, each with the SDK's client for it. The clients take more memory and time
 * to load than the whole simulator, so what is needed of them stands beside this file, and a test compares it
 * with the installed SDK (`make schemas` writes it anew).
 */
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

/** Where the schemas of a service are. */
export const schemaFile = (service: StoredService): URL => new URL(`${service}.jsonl`, import.meta.url)

/** The operations and errors of a service as Smithy's static schemas. */
export const storedSchemas = (service: StoredService): readonly unknown[] =>
  readSchemas(readFileSync(schemaFile(service)))
