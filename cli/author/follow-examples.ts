import { resolve } from 'node:path'
import type { Clock } from '../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { fileWatch } from './watch-files.ts'

export interface FollowExamplesOptions {
  /** The paths of `--apply`. */
  readonly files: readonly string[]
  readonly clock: Clock
  readonly read: (file: string) => Promise<readonly KubernetesObject[]>
  readonly apply: (objects: readonly KubernetesObject[]) => Promise<void>
  readonly print: (text: string, tone: 'good' | 'bad') => void
}

/** Applies a file again whenever it is saved. A file that cannot be applied is reported, and read again when saved. */
export const followExamples = ({
  files,
  clock,
  read,
  apply,
  print,
}: FollowExamplesOptions): { close(): void } => {
  const again = async (file: string): Promise<void> => {
    try {
      const objects = await read(file)
      await apply(objects)
      print(`${file}: ${objects.length} ${objects.length === 1 ? 'object' : 'objects'} applied again`, 'good')
    } catch (error) {
      print(messageOf(error), 'bad')
    }
  }
  const watch = fileWatch(clock, () => false)
  const watched = files.map(file => watch(resolve(file), () => void again(file)))
  return {
    close: () => {
      for (const one of watched) one.close()
    },
  }
}
