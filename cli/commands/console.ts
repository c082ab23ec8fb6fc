import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { interrupted } from '../../sandbox/terminal/interrupted.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { print } from '../../shared/terminal/print.ts'
import { messageOf } from '../../shared/text/message-of.ts'

interface ConsoleCommandOptions {
  readonly kubeconfig?: string
  readonly context?: string
  readonly journal?: string
  readonly bridge?: string
  readonly port?: number
  readonly plan?: boolean
  readonly endpoint?: string
  readonly allowActions?: boolean
  readonly export?: string
  readonly shoot?: string
}

/** `trellis console`: a page with every shoot of a seed, live or from a journal. */
export const consoleCommand = (providers: readonly Provider[]): Command =>
  new Command('console')
    .description(
      'Show what happens to the shoots of a seed on a page of this machine: trees with the reasons of waits, timelines of steps and calls, ' +
        'changes between two moments, and the resources in the cloud. It only reads, unless you allow actions, and only this machine can open it.',
    )
    .option('--kubeconfig <file>', 'kubeconfig of the seed (default: the one that kubectl would use)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .addOption(
      new Option('--journal <file>', 'show a journal of trellis record instead of a seed').conflicts([
        'kubeconfig',
        'context',
        'bridge',
      ]),
    )
    .option(
      '--bridge <url>',
      'read events and steps from the bridge at this URL (default: from the pods of the bridge, through the API server)',
    )
    .option('--port <port>', 'port on 127.0.0.1 (default: the system chooses)', port)
    .option(
      '--plan',
      'let the page ask for plans, which read the Secrets of objects and their clouds; needs --kubeconfig',
    )
    .option('--endpoint <url>', 'with --plan: read this cloud, such as that of trellis dev')
    .option(
      '--allow-actions',
      'show buttons that retry, reconcile, pause and resume, with the rights of the kubeconfig; each shows first what it will do',
    )
    .option(
      '--export <file>',
      'write the page with all data of --journal into one HTML file, which needs no server, and exit',
    )
    .option('--shoot <namespace>', 'open the page at this shoot; with --export: only this shoot')
    .addHelpText(
      'after',
      `
Exit code 0: it was stopped, or the file is written; 1: failure; 2: wrong usage.
The page docs/console.md lists the keyboard shortcuts, and describes links.

Example:
  trellis console --kubeconfig seed.kubeconfig --port 7433
  trellis console --journal rose.journal
  trellis console --journal rose.journal --export rose.html`,
    )
    .action(async (options: ConsoleCommandOptions) => {
      checkUsage(options)
      const { exportJournal, openJournal, openSeed } = await import('../console/console.ts')
      if (options.export !== undefined && options.journal !== undefined) {
        const html = await exportJournal(options.journal, providers, options.shoot)
        await writeFile(options.export, html).catch(error => {
          throw new UsageError(`${options.export}: cannot be written (${messageOf(error)})`)
        })
        print(`wrote ${options.export} (${(Buffer.byteLength(html) / 1024 / 1024).toFixed(1)} MiB)\n`)
        return
      }
      const server =
        options.journal === undefined
          ? await openSeed({
              ...options,
              port: options.port ?? 0,
              providers,
              clock: systemClock,
              env: process.env,
            })
          : await openJournal({
              file: options.journal,
              port: options.port ?? 0,
              providers,
              clock: systemClock,
            })
      const url = new URL(server.ownUrl ?? server.url)
      if (options.shoot !== undefined) url.searchParams.set('shoot', options.shoot)
      print(`${url}\nCtrl-C ends it.\n`)
      await interrupted()
      await server.close()
    })

const checkUsage = ({
  export: file,
  journal,
  allowActions,
  plan,
  kubeconfig,
  endpoint,
}: ConsoleCommandOptions) => {
  if (file !== undefined && journal === undefined)
    throw new UsageError('--export needs --journal: record one with trellis record')
  if (allowActions && journal !== undefined)
    throw new UsageError('--allow-actions needs a seed: a journal is the past')
  if (plan && kubeconfig === undefined) throw new UsageError('--plan needs --kubeconfig')
  if (endpoint !== undefined && !plan) throw new UsageError('--endpoint needs --plan')
}

const port = (text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('expected a port, 0 to 65535')
  return value
}
