import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { bundle, compactProgram, programOf, webhookProgram } from './bundle.ts'
import { findFunctions } from './find-functions.ts'
import { findWebhooks } from './find-webhooks.ts'

const kubeconfigReader = 'dist/functions/kubeconfig.cjs'
const functions = await findFunctions()
const byProvider = Map.groupBy(functions, ({ file }) => basename(dirname(dirname(file))))

/** Each function, those of each provider together, the bridge and the process of the webhooks, under `dist/`, and one file beside them that reads kubeconfigs for all. */
const bundles = [
  ...functions.map(({ name, file }) => ({
    name,
    source: programOf(file),
    out: `dist/functions/${name}.cjs`,
  })),
  ...[...byProvider].map(([provider, own]) => ({
    name: `${provider}-compact`,
    source: compactProgram(
      `${provider}-compact`,
      own.map(({ file }) => file),
    ),
    out: `dist/compact/${provider}.cjs`,
  })),
  { name: 'bridge', source: { entryPoints: ['bridge/main.ts'] }, out: 'dist/bridge.cjs' },
  {
    name: 'webhook',
    source: webhookProgram((await findWebhooks()).map(({ file }) => file)),
    out: 'dist/webhook.cjs',
  },
  {
    name: 'kubeconfig',
    source: { entryPoints: ['shared/kubernetes/access/read-kubeconfig.ts'] },
    out: kubeconfigReader,
  },
]

await rm('dist', { recursive: true, force: true })
await mkdir('dist/functions', { recursive: true })
await mkdir('dist/compact')
for (const { name, source, out } of bundles) {
  await bundle({ source, out, kubeconfigReader })
  const { size } = await stat(out)
  console.log(`${name.padEnd(16)} ${out}  ${Math.round(size / 1024)} KiB`)
}
