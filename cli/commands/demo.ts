import { Command } from 'commander'
import { runDemo } from '../demo/run-demo.ts'

/** `trellis demo`: the guided tour, each step checked; exit code 1 when anything is off. */
export const demoCommand = (): Command =>
  new Command('demo')
    .description(
      'Watch Gardener objects become DNS records and go away again; every step is checked and timed.',
    )
    .addHelpText('after', '\nExample:\n  trellis demo')
    .action(async () => {
      const allWell = await runDemo(text => process.stdout.write(text))
      if (!allWell) process.exitCode = 1
    })
