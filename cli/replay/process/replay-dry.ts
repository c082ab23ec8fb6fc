import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Provider } from '../../../sandbox/providers/provider.ts'
import { writeState } from '../../../sandbox/providers/state-file.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { AllowedNetwork } from '../../confined/allowed-network.ts'
import { confinedNode } from '../../confined/confined-node.ts'
import { endWithCommand } from '../../confined/end-with-command.ts'
import type { ReplayOptions } from '../replay-files.ts'
import type { ReplayRequest, SaveAnswer, SaveRequest } from './serve-replay.ts'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

/** A replay on simulated clouds and an in-memory seed. It must not change anything real. */
export const isDry = ({ kubeconfig, clouds = {} }: ReplayOptions): boolean =>
  kubeconfig === undefined && Object.values(clouds).every(({ endpoint }) => endpoint === undefined)

/**
 * Replays files in a process that can only change the files of `saveState`, because a function may be foreign code.
 * With `network`, it can also reach a cloud. The process prints the result. Returns its exit code.
 */
export const replayDry = async (
  files: readonly string[],
  options: ReplayOptions,
  providers: readonly Pick<Provider, 'fillCaches'>[],
  network: AllowedNetwork,
): Promise<number> => {
  for (const provider of providers) await provider.fillCaches?.()
  const { command, args, env } = confinedNode(process.env, network)
  const request: ReplayRequest = { files, options, network }
  const child = spawn(command, [...args, program, JSON.stringify(request)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    env,
  })
  endWithCommand(child)
  const paths = new Set(Object.values(options.clouds ?? {}).map(({ saveState }) => saveState))
  child.on('message', async ({ path, state }: SaveRequest) => {
    const answer = (message: SaveAnswer) => child.send(message, () => {})
    // The function could send this message as well.
    if (!paths.has(path)) answer({ problem: `${path}: no flag names this file` })
    else
      await writeState(path, state).then(
        () => answer({}),
        (error: unknown) => answer({ problem: messageOf(error) }),
      )
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
