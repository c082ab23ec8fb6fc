#!/usr/bin/env node
// Starts the command line with a Node that can run it: this one if it is new enough, else the one among the
// project's dependencies. Plain JavaScript without names that Node 20 lacks, because an old Node has to read it.
import { spawn } from 'node:child_process'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 19)) {
  // The sources are stripped of their types once, not at every start.
  module.enableCompileCache()
  const { main } = await import('./main.ts')
  await main(process.argv)
} else {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  const forward = signal => child.kill(signal)
  // A terminal sends Ctrl-C to both; this process only waits for the other one to end cleanly.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', forward)
  process.on('SIGHUP', forward)
  child.on('error', error => {
    console.error(
      `trellis needs Node 22.19 or newer, and the one among its dependencies cannot start: ${error.message}`,
    )
    console.error('Run "npm ci" in the clone first.')
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
  })
}
