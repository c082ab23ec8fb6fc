import { chmod, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageConfig } from '../../../build/images/images.ts'
import { imageRunner } from '../images/image-runner.ts'
import { startServerProcess } from '../server-process.ts'

export interface RunningFunction {
  readonly url: string
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/** Starts the program of an unpacked image as the image declares it, on the cluster of a kubeconfig. */
export const runFunction = async (
  root: string,
  config: ImageConfig,
  { kubeconfig, env }: { readonly kubeconfig: string; readonly env: Readonly<Record<string, string>> },
): Promise<RunningFunction> => {
  const runner = await imageRunner(root, config)
  const inside = join(root, 'kubeconfig')
  await copyFile(kubeconfig, inside)
  await chmod(inside, 0o444)
  const [command = '', ...args] = runner.command([...(config.Entrypoint ?? []), ...(config.Cmd ?? [])])
  const declared = Object.fromEntries((config.Env ?? []).map(text => text.split(/=(.*)/s).slice(0, 2)))
  const running = startServerProcess({
    command,
    args,
    env: {
      ...declared,
      PATH: process.env.PATH,
      TRELLIS_PORT: '0',
      TRELLIS_ADDRESS: '127.0.0.1',
      KUBECONFIG: runner.isContained ? '/kubeconfig' : inside,
      ...env,
    },
  })
  let isOver = false
  void running.ended.then(() => {
    isOver = true
  })
  for (;;) {
    const port = /"port":(\d+),"msg":"listening"/.exec(running.output())?.[1]
    if (port !== undefined)
      return { url: `http://127.0.0.1:${port}`, output: running.output, stop: running.stop }
    if (isOver) throw new Error(`the program ended: ${running.output()}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
