import * as dnsRecord from './aws/dnsrecord/function.ts'
import * as infrastructure from './aws/infrastructure/function.ts'

/** Every function of this repository: what the sandbox runs, and what `make build` bundles. */
export const functions = [
  { ...dnsRecord, folder: 'functions/aws/dnsrecord' },
  { ...infrastructure, folder: 'functions/aws/infrastructure' },
] as const
