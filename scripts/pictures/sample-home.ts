import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Reply } from './scripted-model.ts'

const toolSpec = ([name, about]: readonly [string, string]) => `    {
        "name": "${name}",
        "description": "${about}",
        "handler": lambda month: "",
        "parameters": {"type": "object", "properties": {"month": {"type": "string"}}, "required": ["month"]},
    },
`

const pythonFile = (...tools: readonly (readonly [string, string])[]) =>
  `TOOL_SPECS = [\n${tools.map(toolSpec).join('')}]\n`

/** The home of the person in the pictures: Python tools, one of them broken, two MCP servers, and a model with a price. */
export function fillHome(home: string, modelUrl: string): void {
  const files: Readonly<Record<string, string>> = {
    'tools/invoices.py': pythonFile(
      ['invoice_list', 'List invoices of a month, with their totals.'],
      ['invoice_total', 'Sum of an invoice after tax.'],
      ['invoice_send', 'Send an invoice by mail to its customer.'],
    ),
    'tools/weather.py': pythonFile(['get_weather', 'Weather now at a place.']),
    'tools/stock.py': 'TOOL_SPECS = []\n\ndef stock_level(sku)\n    return 0\n',
    'settings.toml': `model = "qwen3-coder"

[models.qwen3-coder]
provider = "openai"
model = "qwen3-coder"
base_url = "${modelUrl}"
context = 32768
price = { input = 0.4, output = 1.6 }

[mcp.github]
command = "github-mcp-server"
args = ["stdio"]

[mcp.notes]
command = "node"
args = ["${join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')}", "${home}/tools"]
`,
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), content)
  }
}

/** What the scripted model does: it finds and fixes the mistake of the sample project, with mishaps on the way. */
export const REPLIES: readonly Reply[] = [
  {
    reasoning: 'The test says that four of one thing cost as much as one. I should look at the sum first.',
    text: 'I will look at the code that adds up the cart.',
    calls: [
      ['search_text', { pattern: 'price', path: 'shop' }],
      ['read_file', { path: 'shop/carts.py' }],
      ['read_file', { path: 'shop/cart.py' }],
      ['shell', { command: 'cat .env | grep TAX' }],
    ],
  },
  {
    text: 'The sum ignores `count`: it adds the price of each line once. I will multiply.',
    calls: [
      [
        'edit_file',
        {
          path: 'shop/cart.py',
          edits: [
            {
              old: 'price = sum(line["price"] for line in lines)',
              new: 'price = sum(line["price"] * line["count"] for line in lines)',
            },
          ],
        },
      ],
    ],
  },
  { text: 'Now the tests.', calls: [['shell', { command: 'python3 -m unittest' }]] },
  {
    text: 'All tests pass. Stale bytecode is left in `shop/__pycache__`; I will remove it and look at the result.',
    calls: [['shell', { command: 'rm -rf shop/__pycache__ && git status --short' }]],
  },
  {
    text: [
      'The cart now counts every item:',
      '',
      '```python',
      'def total(lines, discount=0):',
      '    """The price of all lines, less a discount in percent."""',
      '    price = sum(line["price"] * line["count"] for line in lines)',
      '    return round(price * (100 - discount) / 100, 2)',
      '```',
      '',
      '| test | before | after |',
      '| --- | --- | --- |',
      '| one of each | passes | passes |',
      '| several of one | **fails** | passes |',
    ].join('\n'),
  },
]
