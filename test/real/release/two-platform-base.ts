import { machinePlatform } from '../../../build/images/images.ts'
import { makeMachineBase } from '../../../build/images/testing/machine-base.ts'
import type { Regctl } from '../programs/regctl.ts'

/**
 * Builds a base image for both platforms in a layout, as a registry has it. That of the other platform has no files: it
 * cannot run here. Returns a reference with the digest of the index.
 */
export const makeTwoPlatformBase = async (regctl: Regctl, layout: string): Promise<string> => {
  await makeMachineBase(layout)
  const name = `ocidir://${layout}`
  const [other = ''] = ['linux/amd64', 'linux/arm64'].filter(platform => platform !== machinePlatform())
  const created = '1970-01-01T00:00:00Z'
  await regctl('image', 'create', `${name}:empty`, '--platform', other, '--created', created)
  await regctl(
    ...['image', 'mod', `${name}:empty`, '--create', `${name}:other`],
    ...[
      '--config-entrypoint',
      '["/nodejs/bin/node"]',
      '--user',
      '65532:65532',
      '--config-time',
      `set=${created}`,
    ],
  )
  await regctl('index', 'create', `${name}:both`, '--ref', `${name}:node`, '--ref', `${name}:other`)
  return `${name}@${await regctl('image', 'digest', `${name}:both`)}`
}
