import { print } from '../../shared/terminal/print.ts'
import { messageOf } from '../../shared/text/message-of.ts'

export interface Report {
  /** Runs a step, prints it, and notes how it ended. Rejects as the step does. */
  step(title: string, run: () => Promise<void>): Promise<void>
  /** Returns the report as Markdown. */
  text(versions: Readonly<Record<string, string>>): string
}

export const createReport = (): Report => {
  const rows: (readonly [string, string])[] = []
  return {
    step: async (title, run) => {
      print(`${title}\n`)
      const start = performance.now()
      const seconds = () => `${((performance.now() - start) / 1000).toFixed(0)} s`
      try {
        await run()
        rows.push([title, `✓ ${seconds()}`])
      } catch (error) {
        const [line = ''] = messageOf(error).split('\n')
        rows.push([title, `✗ ${seconds()}: ${line.replaceAll('|', '\\|')}`])
        throw error
      }
    },
    text: versions =>
      [
        ...['# Trellis in a cluster of kind', ''],
        ...Object.entries(versions).map(([name, version]) => `- ${name}: ${version}`),
        ...['', '| step | result |', '|---|---|'],
        ...rows.map(([title, result]) => `| ${title} | ${result} |`),
        '',
      ].join('\n'),
  }
}
