#!/usr/bin/env node
// Starts the command line with a suitable Node: this one if it is new enough, else the one among the project's
// dependencies. Plain JavaScript without APIs that old Nodes lack, because they have to run it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { runsSources } from './runs-sources.mjs'

/** A clone runs its sources; an installed package runs JavaScript. */
const isClone = existsSync(new URL('./main.ts', import.meta.url))

const refuse = problem => {
  console.error(`trellis: ${problem}. Run "npm ci" in ${fileURLToPath(new URL('..', import.meta.url))} first`)
  process.exitCode = 2
}

if (runsSources(process.versions.node)) {
  // Caches the sources without types, so that they are not stripped at every start.
  module.enableCompileCache()
  try {
    const { main } = await import(isClone ? './main.ts' : '../dist/package/cli/main.js')
    await main(process.argv)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/^Cannot find package/.test(error.message)) throw error
    refuse('its dependencies are not installed')
  }
} else if (!isClone) {
  console.error(
    `trellis: it needs Node.js 24, or 22.19 or newer of 22; this is ${process.version}. In a project, "npm install node@24" installs one`,
  )
  process.exitCode = 2
} else {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  const forward = signal => child.kill(signal)
  // A terminal sends Ctrl-C to both; this process only waits until the other one has ended cleanly.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', forward)
  process.on('SIGHUP', forward)
  child.on('error', error => {
    refuse(
      error.code === 'ENOENT'
        ? `its dependencies are not installed, among them the Node.js that replaces ${process.version}`
        : `the Node.js among its dependencies cannot start (${error.message})`,
    )
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
  })
}
