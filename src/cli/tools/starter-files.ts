/** A language that a starter file can be written in. */
export type StarterLanguage = 'python' | 'typescript'

/** A tool file that works as it is, with comments that say what to change. */
export function starterFile(name: string, language: StarterLanguage): string {
  return language === 'python' ? pythonStarter(name) : typescriptStarter(name)
}

function pythonStarter(name: string): string {
  const handler = name.replaceAll('-', '_')
  return `# A tool for Haft. Save the file, and the tool is there: haft call ${name} '{"name": "Ada"}'
# Several tools may be in one file. A file whose name starts with _ is not loaded.


def ${handler}(name, greeting="Hello"):
    """Do the work. What is returned is what the model reads: text, or data that becomes JSON."""
    # The tool runs as you: it may use your files and your network.
    # raise ValueError("...") tells the model what went wrong.
    return f"{greeting}, {name}!"


TOOL_SPECS = [
    {
        "name": "${name}",
        # The model chooses tools by this text: say what it does, and when to use it.
        "description": "Greet a person by name.",
        # JSON Schema of the arguments; they are checked before the function is called.
        "parameters": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Whom to greet"},
                "greeting": {"type": "string", "description": "The word to greet with"},
            },
            "required": ["name"],
        },
        "handler": ${handler},
        # The worst it can do: none, read, write, run or network.
        "effect": "none",
        # "approval": True,  # ask a person before every call
    },
]
`
}

function typescriptStarter(name: string): string {
  return `// A tool for Haft. Save the file, and the tool is there: haft call ${name} '{"name":"Ada"}'
// Several tools may be exported from one file. A file whose name starts with _ is not loaded.
import { defineTool } from 'haft'
import { z } from 'zod'

export default defineTool({
  name: '${name}',
  // The model chooses tools by this text: say what it does, and when to use it.
  description: 'Greet a person by name.',
  // What it takes; arguments are checked before execute is called.
  input: z.object({
    name: z.string().describe('Whom to greet'),
    greeting: z.string().default('Hello').describe('The word to greet with'),
  }),
  // The worst it can do: none, read, write, run or network.
  effect: 'none',
  // approval: true, // ask a person before every call
  execute({ name, greeting }) {
    // The tool runs as you, in a process of its own: it may use your files and your network.
    // What is returned is what the model reads: text, or data that becomes JSON. Errors that are thrown are shown to it.
    return \`\${greeting}, \${name}!\`
  },
})
`
}
