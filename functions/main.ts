import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../shared/contract/message-of.ts'
import { bootFunction } from '../shared/runtime/boot-function.ts'
import { isFunctionDefinition } from '../shared/runtime/runtime.ts'

// The process of one function, as it is written: node functions/main.ts functions/aws/dnsrecord/function.ts
const [file = ''] = process.argv.slice(2)
try {
  const { definition } = (await import(pathToFileURL(resolve(file)).href)) as {
    readonly definition?: unknown
  }
  if (!isFunctionDefinition(definition))
    throw new Error(`${file} exports no \`definition\` of defineFunction`)
  await bootFunction(definition)
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
