# ~/.copilot-web/tools/weather_tools.py

def get_weather_info(location: str) -> str:
    """Get a short text weather report for a location."""
    return f"The weather in {location} is cloudy with a high of 15°C."


def get_temperatures(location: str) -> dict:
    """Get today's min/max temperatures for a location (°C)."""
    return {"min_c": 9, "max_c": 15}


TOOL_SPECS = [
    {
        "name": "weather_tools:get_weather_info",
        "description": "Get a short text weather report for a location.",
        "parameters": {
            "type": "object",
            "properties": {
                "location": {"type": "string", "description": "Location (city, region, etc.)"},
            },
            "required": ["location"],
        },
        "handler": get_weather_info,
    },
    {
        "name": "weather_tools:get_temperatures",
        "description": "Get today's min/max temperatures for a location (°C).",
        "parameters": {
            "type": "object",
            "properties": {
                "location": {"type": "string", "description": "Location (city, region, etc.)"},
            },
            "required": ["location"],
        },
        "handler": get_temperatures,
    },
]
