import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomAws } from '../../../sandbox/providers/aws/simulation/random-aws.ts'
import { randomLocal } from '../../../sandbox/providers/local/simulation/random-local.ts'
import { randomOpenStack } from '../../../sandbox/providers/openstack/simulation/random-openstack.ts'
import type { NamedCloud } from '../../../sandbox/simulation/random/random.ts'

/** The clouds of worlds at random. One run at a time uses the directory, which `close` removes. */
export const randomClouds = (): { readonly clouds: readonly NamedCloud[]; close(): void } => {
  const directory = mkdtempSync(join(tmpdir(), 'trellis-random-'))
  const empty = (): string => {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory)
    return directory
  }
  return {
    clouds: [randomAws, randomLocal(empty), randomOpenStack],
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}
