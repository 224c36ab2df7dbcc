"""What models cost: configured prices, the price data of genai-prices, and bills made of them.

Nothing here is imported before a model and a volume were named, but for `own`, which the
configuration is read with.
"""
