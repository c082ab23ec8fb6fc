import type { Plugin } from 'esbuild'

/**
 * Replaces `node:domain` in the functions framework, which runs each request in a domain. Trellis leaves it at once
 * (`frameworkServer`), but from the first domain on, Node calls hooks at each promise and callback of the process: a
 * third of the CPU of an event.
 */
export const withoutDomains: Plugin = {
  name: 'without-domains',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^domain$/ }, ({ importer }) =>
      importer.includes('/node_modules/@google-cloud/functions-framework/')
        ? { path: 'domain', namespace: 'without-domains' }
        : undefined,
    )
    onLoad({ filter: /./, namespace: 'without-domains' }, () => ({
      contents: 'exports.create = () => ({ on() {}, run: work => work() })',
    }))
  },
}
