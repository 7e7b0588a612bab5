/** `npx urlwhere`: the commands, and how a process of one ends. */
import { helpOf, overviewOf, readArguments, type Command } from './arguments.ts'
import { checkCommand } from './check.ts'
import { explainCommand } from './explain.ts'
import { Failure, messageOf } from './failure.ts'
import { inspectCommand } from './inspect.ts'
import { version } from './library.ts'
import { pullCommand } from './pull.ts'

const commands: Readonly<Record<string, Command>> = {
  check: checkCommand,
  inspect: inspectCommand,
  pull: pullCommand,
  explain: explainCommand,
}

function commandOf(name: string): Command {
  if (Object.hasOwn(commands, name)) return commands[name]!
  throw new Failure(2, `there is no command ${name}. Commands: ${[...Object.keys(commands), 'help'].join(', ')}`)
}

function print(text: string): 0 {
  process.stdout.write(text)
  return 0
}

async function exitCodeOf([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined) throw new Failure(2, `a command is missing.\n\n${overviewOf(commands)}`)
  if (name === '--version') return print(`${version()}\n`)
  if (name === '--help' || name === '-h' || name === 'help') {
    const [topic] = rest
    return print(topic === undefined ? overviewOf(commands) : helpOf(topic, commandOf(topic)))
  }
  const command = commandOf(name)
  const { help, ...args } = readArguments(name, command, rest)
  return help ? print(helpOf(name, command)) : command.run(args)
}

// TypeScript and node:sqlite are experimental in some versions of Node, which the user cannot change.
const listeners = process.listeners('warning')
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') for (const listener of listeners) listener(warning)
})
// The reader of a pipe may end first.
process.stdout.on('error', () => process.exit(0))

const exitCode = await exitCodeOf(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`urlwhere: ${messageOf(error).trimEnd()}\n`)
  return error instanceof Failure ? error.exitCode : 2
})
// A pool that a module of the user opens keeps its process running. The output is written first.
process.stdout.write('', () => process.exit(exitCode))
