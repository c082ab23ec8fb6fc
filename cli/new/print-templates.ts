import { readTemplates } from './read-template.ts'

// Prints all templates as JSON, for the package: node cli/new/print-templates.ts
process.stdout.write(`${JSON.stringify(await readTemplates())}\n`)
