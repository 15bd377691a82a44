//! The allocator's own tests: the module for Python can have none, as it is linked by an interpreter.

#![allow(missing_docs)]

#[path = "../src/allocator.rs"]
mod allocator;

#[global_allocator]
static BLOCKS: allocator::Blocks = allocator::Blocks;
