import { createServices, newAccountLimits } from './simulator/aws.ts'

const operations = (): string =>
  createServices()
    .map(({ model, handlers }) => {
      const built = Object.keys(handlers).length
      return `| \`${model.name}\` | ${model.protocol}, ${model.version} | ${built} of ${model.operations.size} |`
    })
    .join('\n')

const quotas = (): string =>
  Object.entries(newAccountLimits)
    .map(([name, value]) => `\`${name}\` ${value}`)
    .join(', ')

/** Returns the generated part of the page about the AWS simulator. */
export const coverage = (): string => `| service | protocol | operations |
|---|---|---|
${operations()}

\`--throttle\` has AWS's request rates per account and region (\`accountRates\`). Quotas of EC2 with \`--quotas\` (\`ec2: { limits: newAccountLimits }\`): ${quotas()}.`
